import type { Ctx } from './context.ts'

/** Whether the client already has this content. A compressor in between may have marked the tag as weak. */
export const isKnown = (c: Ctx, etag: string): boolean =>
  (c.req.header('if-none-match') ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*')
