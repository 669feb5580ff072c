// Short calls to EGL whose attribute lists are built in C, so that Go passes no
// pointers to Go memory and the frame path allocates nothing.
#ifndef RIDGELINE_EGL_H
#define RIDGELINE_EGL_H

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdint.h>
#include <stdlib.h>

static inline EGLBoolean rl_configs(EGLDisplay d, EGLint surface, EGLConfig *out, EGLint max, EGLint *n) {
	const EGLint want[] = {
		EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT | EGL_OPENGL_ES3_BIT,
		EGL_SURFACE_TYPE, surface,
		EGL_RED_SIZE, 8, EGL_GREEN_SIZE, 8, EGL_BLUE_SIZE, 8,
		EGL_NONE
	};
	return eglChooseConfig(d, want, out, max, n);
}

static inline EGLContext rl_context(EGLDisplay d, EGLConfig c, int desktop, int robust) {
	EGLint want[16];
	int n = 0;
	if (!eglBindAPI(desktop ? EGL_OPENGL_API : EGL_OPENGL_ES_API)) return EGL_NO_CONTEXT;
	want[n++] = EGL_CONTEXT_MAJOR_VERSION; want[n++] = desktop ? 4 : 3;
	want[n++] = EGL_CONTEXT_MINOR_VERSION; want[n++] = desktop ? 1 : 0;
	if (desktop) {
		want[n++] = EGL_CONTEXT_OPENGL_PROFILE_MASK; want[n++] = EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT;
		if (robust) {
			want[n++] = EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY;
			want[n++] = EGL_LOSE_CONTEXT_ON_RESET;
		}
	}
	want[n] = EGL_NONE;
	return eglCreateContext(d, c, EGL_NO_CONTEXT, want);
}

static inline EGLSurface rl_pbuffer(EGLDisplay d, EGLConfig c, int w, int h, int srgb) {
	const EGLint want[] = {
		EGL_WIDTH, w, EGL_HEIGHT, h,
		srgb ? EGL_GL_COLORSPACE : EGL_NONE, EGL_GL_COLORSPACE_SRGB,
		EGL_NONE
	};
	return eglCreatePbufferSurface(d, c, want);
}

static inline EGLSurface rl_window(EGLDisplay d, EGLConfig c, uintptr_t win, int srgb) {
	const EGLint want[] = { srgb ? EGL_GL_COLORSPACE : EGL_NONE, EGL_GL_COLORSPACE_SRGB, EGL_NONE };
	return eglCreateWindowSurface(d, c, (EGLNativeWindowType)win, want);
}

// The API is bound first: releasing a context and swapping concern the API that
// is bound on the thread.
static inline EGLBoolean rl_current(EGLDisplay d, EGLSurface s, EGLContext c, int desktop) {
	return eglBindAPI(desktop ? EGL_OPENGL_API : EGL_OPENGL_ES_API) && eglMakeCurrent(d, s, s, c);
}

static inline unsigned int rl_reset(void *f) { return f ? ((unsigned int (*)(void))f)() : 0; }
static inline void *rl_proc(const char *name) { return (void *)eglGetProcAddress(name); }

#endif
