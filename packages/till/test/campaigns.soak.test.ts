/** Processes that are killed, or that race. Each campaign keeps the whole machine busy, so they run one after the other. */
import './till/points/points.campaign.js'
import './till/kills/kills.campaign.js'
import './till/eight/processes.campaign.js'
import './kills/kills.campaign.js'
import './failovers/failovers.campaign.js'
import './failovers/asynchronous.campaign.js'
