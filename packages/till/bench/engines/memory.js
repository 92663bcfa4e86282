/** A store in memory. */
export { memoryStore as memory } from '@tillkit/till'
