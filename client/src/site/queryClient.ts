import { makeQueryClient } from '../platform/store/query.ts'

/** The dashboards' cache; what the landing page fetches ahead for them waits in it. */
export const queryClient = makeQueryClient()
