import type { Request, Response } from 'express'
import { type Core, nodeHandler } from '../http/node-handler.js'

/**
 * Makes a handler of Express of an answer.
 *
 * @param name Name of the handler in stack traces.
 * @param unheard Told of an error where there is no `next`.
 */
export const toExpress = (name: string, core: Core<Request, Response>, unheard?: (error: unknown) => void) =>
  nodeHandler<Request, Response>(name, core, unheard)
