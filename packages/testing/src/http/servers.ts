import type { ListeningHost } from './addresses.js'
import type { Answer } from './message.js'
import { type GatewayServer, type GatewayServerOptions, startServer } from './server.js'

interface GatewayServersOptions extends GatewayServerOptions {
  /** Answers on a port of its own, which no fault closes. Absent where there is nothing to answer. */
  readonly controlAnswer: Answer | undefined
}

/** The server of the gateway, and beside it the one of its control, which stays open while a fault closes the first. */
export interface GatewayServers extends GatewayServer {
  readonly controlOrigin: string | undefined
}

/**
 * Starts both. The control takes the port after the gateway's, or any free one.
 *
 * @throws An error that says EADDRINUSE when the gateway's port is taken.
 */
export async function startServers(
  { controlAnswer, ...options }: GatewayServersOptions,
  { listening, port }: { readonly listening: ListeningHost; readonly port: number },
): Promise<GatewayServers> {
  const gateway = await startServer(options, { listening, port })
  if (controlAnswer === undefined) return { ...gateway, controlOrigin: undefined }
  const start = (port: number) => startServer({ ...options, answer: controlAnswer }, { listening, port })
  const control = await (port === 0 || port === 65_535 ? start(0) : start(port + 1).catch(() => start(0)))
  return {
    ...gateway,
    controlOrigin: listening.controlOrigin(control.port, gateway.port),
    close: async () => void (await Promise.all([gateway.close(), control.close()])),
  }
}
