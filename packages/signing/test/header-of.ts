import { createRequestSigner, type RequestSignerOptions, type RequestToSign } from '../src/index.js'

/** The header of one request, made by a signer that signs nothing else. */
export const headerOf = async (options: RequestSignerOptions & RequestToSign): Promise<string> =>
  createRequestSigner(options).header(options)
