/** A program that loads this package. */
import '@tillkit/signing'
