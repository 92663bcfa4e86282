/** Starts one gateway and says how long it took, in milliseconds. */
import { createFakeGateway } from '@tillkit/testing'

const start = performance.now()
const gateway = createFakeGateway()
const time = performance.now() - start
await gateway.close()
process.stdout.write(String(time))
