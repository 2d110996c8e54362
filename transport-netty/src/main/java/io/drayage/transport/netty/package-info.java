/**
 * The raw transport: frames on TCP connections by Netty, natively where the machine can. A
 * connection carries one shipment, so that damaged bytes affect no other shipment. A shipment may
 * have several connections, and outlives them.
 *
 * <p><em>Limits.</em> A shipment passes these limits from the first to the last. It returns credit
 * when its cargo is received, and everything else at its end. A limit that names no other options
 * is one of {@link io.drayage.transport.PeerLimits}.
 *
 * <pre>
 *   by                limits, and per what             option (default)             beyond it
 *   at the worker
 *   ClientPlaces      shipments of a client            maxShipmentsPerPeer (64)     a thread waits
 *   ByteBudget        encoded frames of a sender       SegmentsSender.BUDGET_BYTES  a task waits,
 *                                                      (8 MiB)                      no thread
 *   at the transactor
 *   ConnectionPlaces  connections of a server          maxConnections (4,096)       one idle ends,
 *                     of an address                    maxConnectionsPerPeer (512)  or BUSY at once
 *   PeerQuotas        shipments of an address          maxShipmentsPerPeer (64)     a request waits
 *                     credit of an address             maxBytesPerPeer (96 MiB)     a request waits
 *                     credit of a server               TransportOptions.            a request waits
 *                                                      serverBudgetBytes (128 MiB)
 *   CreditQuota       credit of a shipment: that of    TransportOptions.            asks PeerQuotas for
 *                     its cargo, up to the option      shipmentCreditBytes (8 MiB)  no more
 *   CreditWindow      frames of a connection on their  its part of the CreditQuota  frames wait;
 *                     way or undecoded                                              more than it is
 *                                                                                   CREDIT_OVERRUN
 *   ReceiverQuota     shipments of a receiver          ReceiverLimits.              BUSY at once
 *                                                      maxShipments (64)
 *                     memory of their cargoes          ReceiverLimits.              BUSY at once
 *                                                      maxReceivingBytes (3/4 of
 *                                                      the heap that is free)
 *   AdmissionQueue    turns of BUSY workers            MAX_WAITING (1,024)          BUSY without a
 *                                                                                   turn
 *   ShipmentPace      time of a cargo that holds       MIN_BYTES_PER_S (64 KiB)     is ended, BUSY
 *                     memory while others wait
 * </pre>
 *
 * <p>Waiting ends with {@code BUSY} when the patience of the worker is over. The threads of a
 * client wait in FIFO order, and so do the requests of a server. A request of an address at its own
 * limit lets others pass. A sender that gets {@code BUSY} asks again after at most 250 ms.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.transport.netty;

import org.jspecify.annotations.NullMarked;
