// Package xcall makes up calls of commands for property tests. Only tests import it.
package xcall
