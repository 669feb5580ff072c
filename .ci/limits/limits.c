// What the machine can do at best, beside which the benchmarks stand: one core,
// plain C. Prints "name value unit" lines; each is the median of many runs.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { N = 4097, RUNS = 41 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static int order(const void *a, const void *b) {
  double d = *(const double *)a - *(const double *)b;
  return (d > 0) - (d < 0);
}

static double median(double *t, int n) {
  qsort(t, n, sizeof *t, order);
  return t[n / 2];
}

static uint64_t state = 7;
static uint32_t random32(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 33;
}

// raise adds a smooth bump of radius r samples around (cx, cy).
static void raise_(float *h, int cx, int cy, int r, float s) {
  float inv = 1.0f / ((float)r * r);
  for (int y = cy - r; y <= cy + r; y++) {
    float *row = h + (size_t)y * N, dy = (float)(y - cy) * (y - cy);
    for (int x = cx - r; x <= cx + r; x++) {
      float k = 1 - ((float)(x - cx) * (x - cx) + dy) * inv;
      k = k > 0 ? k : 0;
      row[x] += s * k * k;
    }
  }
}

int main(int argc, char **argv) {
  double t[RUNS];
  size_t samples = (size_t)N * N, bytes = samples * 4;
  float *h = malloc(bytes), *copy = malloc(bytes);
  for (size_t i = 0; i < samples; i++) h[i] = (float)(i % 1000);
  memset(copy, 1, bytes);

  for (int i = 0; i < RUNS / 4; i++) {
    double a = now();
    memcpy(copy, h, bytes);
    t[i] = now() - a;
  }
  double whole = median(t, RUNS / 4);
  printf("copy of all heights of 4097x4097 %.2f ms (%.1f GB/s)\n", whole * 1e3, bytes / whole * 1e-9);

  int radius[] = {8, 128, 512};
  for (int k = 0; k < 3; k++) {
    int r = radius[k], w = 2 * r + 1;
    for (int i = -3; i < RUNS; i++) {
      int cx = r + 1 + random32() % (N - 2 * r - 2), cy = r + 1 + random32() % (N - 2 * r - 2);
      double a = now();
      raise_(h, cx, cy, r, 0.5f);
      if (i >= 0) t[i] = now() - a;
    }
    printf("raise, radius %d samples %.1f us\n", r, median(t, RUNS) * 1e6);
    for (int i = -3; i < RUNS; i++) {
      int cx = r + 1 + random32() % (N - 2 * r - 2), cy = r + 1 + random32() % (N - 2 * r - 2);
      double a = now();
      for (int y = 0; y < w; y++) memcpy(copy + (size_t)y * w, h + (size_t)(cy - r + y) * N + cx - r, 4 * w);
      if (i >= 0) t[i] = now() - a;
    }
    printf("copy of the square, radius %d samples %.1f us\n", r, median(t, RUNS) * 1e6);
  }

  const char *file = argc > 1 ? argv[1] : "limits.tmp";
  for (int i = 0; i < 9; i++) {
    double a = now();
    int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || write(fd, h, 1 << 20) != 1 << 20 || fsync(fd)) return perror(file), 1;
    close(fd);
    t[i] = now() - a;
  }
  unlink(file);
  printf("write and fsync of 1 MiB %.2f ms\n", median(t, 9) * 1e3);
  return 0;
}
