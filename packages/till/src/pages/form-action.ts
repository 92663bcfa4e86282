/**
 * Whether a form may lead to an address, by the `form-action` of a Content-Security-Policy. Browsers such as Chrome apply it to the
 * redirect that answers the form as well.
 *
 * @param policy Value of the header; several policies are separated by commas, and all of them count.
 * @see Content Security Policy Level 3, sections 6.4.2 (form-action) and 6.7.2.8 (how a source matches)
 */
export const formsMayLeadTo = (address: URL, policy: string): boolean =>
  policy.split(',').every(each => {
    const [directive] = each.split(';').flatMap(text => /^\s*form-action(?=\s|$)(.*)$/is.exec(text)?.[1] ?? [])
    return directive === undefined || directive.split(/\s+/).some(source => matches(source, address))
  })

const sourcePattern = /^(?:([a-z][\w+.-]*):\/\/)?(\*\.)?([^/:*]+)(?::(\d+|\*))?(?:\/.*)?$/i

function matches(source: string, { protocol, hostname, port }: URL): boolean {
  const isScheme = (scheme: string) => `${scheme.toLowerCase()}:`.replace('http:', protocol) === protocol
  if (source === '*') return true
  if (/^[a-z][\w+.-]*:$/i.test(source)) return isScheme(source.slice(0, -1))
  const [, scheme, wildcard, host = '', sourcePort = ''] = sourcePattern.exec(source) ?? []
  if (host === '' || (scheme !== undefined && !isScheme(scheme))) return false
  const isHost = wildcard === undefined ? hostname === host.toLowerCase() : hostname.endsWith(`.${host.toLowerCase()}`)
  const defaultPort = protocol === 'https:' ? '443' : '80'
  return isHost && (sourcePort === '*' || (sourcePort || defaultPort) === (port || defaultPort))
}
