/** A program that loads what this package depends on. */
import 'undici'
