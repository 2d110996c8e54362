/**
 * The interface between a pipeline and a transport. A transport carries whole frames from a worker
 * to a transactor with backpressure, and a few answers back. A transport knows no cargo, and a
 * pipeline knows no network. Every pipeline runs over every transport.
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
 * <p>SPI: for authors of transports and codecs. Programs that embed the library use only {@link
 * io.drayage.transport.Transport}, {@link io.drayage.transport.TransportClient}, {@link
 * io.drayage.transport.TransportServer}, {@link io.drayage.transport.TransportOptions}, {@link
 * io.drayage.transport.PeerLimits}, {@link io.drayage.transport.TlsOptions} and {@link
 * io.drayage.transport.HostPort}.
 */
@NullMarked
package io.drayage.transport;

import org.jspecify.annotations.NullMarked;
