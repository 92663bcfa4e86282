import { createClientFromEnv } from '../src/index.js'

const client = createClientFromEnv()
const { verdict, text } = await client.check()
console.log(text)
if (verdict === 'wrong') process.exitCode = 1
await client.close()
