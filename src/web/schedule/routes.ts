import { methodNotAllowed } from '../../platform/html/message.ts'
import { newPageRouter, type PageRouter } from '../../platform/http/page_request.ts'
import type { Site } from '../site.ts'
import { showBoard, showPart } from './board/board.ts'
import { checkMove } from './check_move.ts'
import { streamChanges } from './events.ts'
import { move, showMove } from './move.ts'
import { approvePlan } from './plan/approve.ts'
import { chooseOff } from './plan/choose_off.ts'
import { fitIn, showFitIn } from './plan/fit_in.ts'
import { showPlan } from './plan/plan_page.ts'
import { showTile, showTileArea } from './map/streets.ts'
import { printDay } from './print_day.ts'

const HERE = '/:tenant{[0-9a-f-]{36}}/schedule'
const JOB = '/:job{[0-9a-f-]{36}}'

/**
 * Returns the pages of the schedule: a day or week, its part that changes, what changes it, the form that moves a
 * visit, and the tiles of the map.
 */
export const scheduleRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get(HERE, (visit) => showBoard(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${HERE}/board`, (visit) => showPart(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${HERE}/print`, (visit) => printDay(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${HERE}/check${JOB}`, (visit) => checkMove(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${HERE}/plan`, (visit) => showPlan(site, visit))
    .post((visit) => approvePlan(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/off`, (visit) => chooseOff(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${HERE}/fit${JOB}`, (visit) => showFitIn(site, visit))
    .post((visit) => fitIn(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/tiles`, (visit) => showTileArea(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${HERE}/tiles/:z{[0-9]{1,2}}/:x{[0-9]{1,7}}/:y{[0-9]{1,7}}`, (visit) => showTile(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${HERE}/events`, (visit) => streamChanges(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${HERE}/move${JOB}`, (visit) => showMove(site, visit))
    .post((visit) => move(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
