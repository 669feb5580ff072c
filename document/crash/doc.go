// Package crash writes what is known when something went wrong inside the program
// to a file that can be sent to those who can repair it. The file is plain text
// and holds nothing of the level itself.
package crash
