/**
 * The two ways to cut a cargo into frames and put it together again: {@code stream}, the published
 * baseline, and {@code segments}, the parallel one. A {@link io.drayage.pipeline.CargoSender} runs
 * on the worker, the {@link io.drayage.pipeline.CargoReceiver} on the transactor.
 */
@NullMarked
package io.drayage.pipeline;

import org.jspecify.annotations.NullMarked;
