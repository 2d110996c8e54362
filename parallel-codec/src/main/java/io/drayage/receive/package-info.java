/**
 * The transactor's end of a shipment. The {@link io.drayage.receive.CargoReceiver} accepts the
 * shipment, its session receives, records and decodes the cargo, and a {@link
 * io.drayage.receive.CargoCommitter} commits it. Other pipelines than segments join through {@link
 * io.drayage.receive.PipelineReceiver}.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.receive;

import org.jspecify.annotations.NullMarked;
