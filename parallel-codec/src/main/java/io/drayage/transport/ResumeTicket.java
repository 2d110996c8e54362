package io.drayage.transport;

import io.drayage.frame.OpenRequest;
import io.drayage.frame.Token;
import java.time.Duration;

/**
 * The right to resume one shipment after its connections were lost.
 *
 * @param shipmentId the number that the transactor gave the shipment
 * @param token proves that it is the same worker; a secret
 * @param window the time for which the transactor keeps the shipment after a loss
 * @param wanted the request that opened the shipment
 */
public record ResumeTicket(long shipmentId, Token token, Duration window, OpenRequest wanted) {}
