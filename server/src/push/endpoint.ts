import { type LookupAddress, lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import type { Settings } from '../config.ts'
import { isLoopback } from '../settings/variables.ts'

/** What no push service has (IANA's special-purpose registries): this machine, its neighbours and reserved addresses. */
const RESERVED = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  RESERVED.addSubnet(network, prefix, 'ipv4')
const PUBLIC_IPV6 = new BlockList()
PUBLIC_IPV6.addSubnet('2000::', 3, 'ipv6')
const RESERVED_IPV6 = new BlockList()
// Documentation, and the ways to write an IPv4 address inside an IPv6 one.
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const)
  RESERVED_IPV6.addSubnet(network, prefix, 'ipv6')

const isPublicAddress = (address: string): boolean =>
  isIP(address) === 6
    ? PUBLIC_IPV6.check(address, 'ipv6') && !RESERVED_IPV6.check(address, 'ipv6')
    : isIP(address) === 4 && !RESERVED.check(address, 'ipv4')

/** A push service has a name with a dot; these never leave the network they are used in. */
const PRIVATE_NAME = /^[^.]+$|\.(local|localhost|internal|lan|home|intranet|home\.arpa)$/i

/** A demo on this machine alone may use the double of a push service beside it. */
export const allowsDouble = ({ demo, demoOnNetwork }: Pick<Settings, 'demo' | 'demoOnNetwork'>, host: string) =>
  demo && !demoOnNetwork && isLoopback(host)

/** Whether the server may post to the address. What its name stands for is checked at each connection. */
export function isPushEndpoint(address: string, settings: Pick<Settings, 'demo' | 'demoOnNetwork'>): boolean {
  const { protocol, hostname, username, password, port } = new URL(address)
  if (username !== '' || password !== '') return false
  if (allowsDouble(settings, hostname)) return protocol === 'https:' || protocol === 'http:'
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const isOpen = isIP(host) === 0 ? !PRIVATE_NAME.test(host) : isPublicAddress(host)
  return protocol === 'https:' && port === '' && isOpen
}

/** Resolves names for a connection, but never to an address that is not public. */
export const lookupPublic: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    const open = error ? [] : found.filter(({ address }) => isPublicAddress(address))
    const [first] = open
    if (first === undefined) done(error ?? Object.assign(new Error('not public'), { code: 'EADDRNOTPUBLIC' }), '', 0)
    else if (options.all) done(null, open)
    else done(null, first.address, first.family)
  })
}
