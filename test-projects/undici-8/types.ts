import { type ClientOptions, connectionOptions, createClient } from '@tillkit/client'
import { Agent } from 'undici'

// A dispatcher of either undici is one that the client takes.
export const clientOf = (options: ClientOptions) =>
  createClient({ ...options, dispatcher: new Agent(connectionOptions) })
