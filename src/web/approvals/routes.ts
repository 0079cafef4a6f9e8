import type { PageRouter } from '../../platform/http/page_request.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { decideProposal } from './decide_proposal.ts'
import { showProposals } from './list_page.ts'
import { saveCallEdit, showCallEdit } from './edit_call.ts'
import { showProposal } from './plan_page.ts'

const HERE = '/:tenant{[0-9a-f-]{36}}/proposals'

/** Returns the pages of proposals. */
export const proposalRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [HERE]: { get: showProposals },
    [`${HERE}/:id{[0-9a-f-]{36}}`]: { get: showProposal, post: decideProposal },
    [`${HERE}/:id{[0-9a-f-]{36}}/calls/:position{[0-9]{1,2}}`]: { get: showCallEdit, post: saveCallEdit },
  })
