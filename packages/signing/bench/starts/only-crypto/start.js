/** A program that loads a package with nothing of its own. */
import 'only-crypto'
