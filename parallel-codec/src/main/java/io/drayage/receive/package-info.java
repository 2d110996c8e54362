/**
 * The transactor's end of a shipment: the {@link io.drayage.receive.CargoReceiver} accepts it, its
 * session receives, records and decodes it, and a {@link io.drayage.receive.CargoCommitter} makes
 * the cargo take effect. Other pipelines than segments join through {@link
 * io.drayage.receive.PipelineReceiver}.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.receive;

import org.jspecify.annotations.NullMarked;
