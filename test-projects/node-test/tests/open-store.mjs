import { memoryStore } from '@tillkit/protocol'

export const openStore = ({ clock }) => (clock === 'system' ? memoryStore() : undefined)
