import { methodNotAllowed } from '../../platform/html/message.ts'
import { newPageRouter, type PageRouter } from '../../platform/http/page_request.ts'
import type { Site } from '../site.ts'
import { decideProposal } from './decide_proposal.ts'
import { showProposals } from './list_page.ts'
import { saveCallEdit, showCallEdit } from './edit_call.ts'
import { showProposal } from './plan_page.ts'

const HERE = '/:tenant{[0-9a-f-]{36}}/proposals'

/** Returns the pages of what waits for approval. */
export const proposalRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get(HERE, (visit) => showProposals(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${HERE}/:id{[0-9a-f-]{36}}`, (visit) => showProposal(site, visit))
    .post((visit) => decideProposal(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/:id{[0-9a-f-]{36}}/calls/:position{[0-9]{1,2}}`, (visit) => showCallEdit(site, visit))
    .post((visit) => saveCallEdit(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
