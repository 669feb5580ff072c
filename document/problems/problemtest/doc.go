// Package problemtest has levels with problems, for tests of what finds and fixes them.
package problemtest
