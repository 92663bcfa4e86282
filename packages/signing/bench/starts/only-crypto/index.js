/** The least that a package built on node:crypto can be. */
import 'node:crypto'
