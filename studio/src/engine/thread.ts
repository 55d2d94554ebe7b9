/** The program of the threads that share the memory of a fit. */
import "sparrow-bayes/browser-worker";
