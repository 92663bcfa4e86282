/** A program that loads this package. */
import '@tillkit/client'
