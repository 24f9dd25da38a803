import { logClientError } from '../../flows/logClientError.ts'
import { siteConfig } from '../../flows/siteConfig.ts'
import { sendAsset } from '../assets.ts'
import type { Routes } from '../mount.ts'
import { openApiFile } from '../openapi.ts'

export const siteRoutes = {
  config: ({ deps }) => siteConfig(deps),
  logError: ({ deps, body }) => {
    logClientError(deps, body)
    return {}
  },
  openapi: ({ deps, c }) => sendAsset(c, openApiFile(deps)),
} satisfies Routes
