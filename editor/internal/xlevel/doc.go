// Package xlevel makes a level for tests. Only tests import it.
package xlevel
