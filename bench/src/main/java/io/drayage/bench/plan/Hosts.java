package io.drayage.bench.plan;

/**
 * The machines of a prediction.
 *
 * @param cores of each
 * @param workerThreads codec threads of the worker, if the system has segments
 * @param transactorThreads codec threads of the transactor, likewise
 * @param shared whether both ends are on one of them
 */
record Hosts(int cores, int workerThreads, int transactorThreads, boolean shared) {}
