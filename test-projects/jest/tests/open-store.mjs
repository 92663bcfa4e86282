import { memoryStore } from '@tillkit/till'

export const openStore = ({ clock }) => (clock === 'system' ? memoryStore() : undefined)
