/**
 * What a transport does for a pipeline, and nothing more: it carries whole frames from a worker to
 * a transactor under back-pressure, and a few answers back. A transport knows no cargo; a pipeline
 * knows no network. Every pipeline runs over every transport.
 *
 * <pre>
 *   worker                                          transactor
 *   TransportClient.open(header)   --- OPEN --->    ShipmentAcceptor.accept(header)
 *   Shipment.offer(frame)          --- frames --->  ShipmentHandler.onFrame(frame)
 *   Shipment.held()                &lt;--- HELD ---    ShipmentReplies.held(seal)
 *   Shipment.committed()           &lt;- COMMITTED -   ShipmentReplies.committed(timestamp)
 *
 *   after a loss, where the transport and the pipeline can:
 *   TransportClient.resume(ticket) --- JOIN --->    ShipmentHandler.settled()
 *   Shipment.received()            &lt;-- JOINED ---   the segments that are there
 * </pre>
 *
 * <p>SPI: for authors of transports and codecs; programs that embed the library use {@link
 * io.drayage.transport.Transport}, {@link io.drayage.transport.TransportClient}, {@link
 * io.drayage.transport.TransportServer}, {@link io.drayage.transport.TransportOptions}, {@link
 * io.drayage.transport.PeerLimits}, {@link io.drayage.transport.TlsOptions} and {@link
 * io.drayage.transport.HostPort} of it.
 */
@NullMarked
package io.drayage.transport;

import org.jspecify.annotations.NullMarked;
