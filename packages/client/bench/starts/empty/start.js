/** A program that loads what this package depends on, and three packages that hold nothing: as many as this one is. */
import './client/index.js'
