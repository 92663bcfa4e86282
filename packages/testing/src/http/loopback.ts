import { isLoopbackHost } from '@tillkit/protocol'

/** Whether an address leads to this machine. */
export const isLoopback = ({ hostname }: Pick<URL, 'hostname'>): boolean => isLoopbackHost(hostname)
