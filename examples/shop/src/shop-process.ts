/**
 * The shop as a process of its own, on a gateway that is elsewhere: the tour kills one. Its argument is {@link ShopProcess} as JSON; it
 * sends its address to the process that started it.
 */
import { listen } from './listen.js'
import { serve } from './serve.js'

/** What a process of the shop is told. */
export interface ShopProcess {
  readonly account: {
    readonly baseUrl: string
    readonly endpointId: string
    readonly login: string
    readonly controlKey: string
  }
  readonly database: string
  /** Port to listen at; 0 for any. */
  readonly port: number
}

/** Says where the shop is reached. */
export interface ShopIsOpen {
  readonly address: string
}

const { port, ...options }: ShopProcess = JSON.parse(process.argv[2] ?? '')
// Without whoever started it nobody looks.
process.on('disconnect', () => process.exit(0))

const { address } = await serve({
  ...options,
  listening: await listen(port),
  onError: error => process.stderr.write(`${String(error)}\n`),
})
const open: ShopIsOpen = { address: address.href }
process.send?.(open)
