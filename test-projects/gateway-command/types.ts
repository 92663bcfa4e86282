import { createFakeGateway, type ListenOptions } from '@tillkit/testing'
import schema from '@tillkit/testing/config.schema.json' with { type: 'json' }

const options: ListenOptions = { port: 0, host: '127.0.0.1' }
const title: string = schema.title

export { createFakeGateway, options, title }
