package io.drayage.transport;

import io.drayage.frame.OpenRequest;
import io.drayage.frame.Token;
import java.time.Duration;

/**
 * With it a shipment can be resumed after its connections were lost. Good for this shipment only.
 *
 * @param shipmentId the number that the transactor gave the shipment
 * @param token proves that it is the same worker; a secret
 * @param window how long the transactor keeps the shipment after a loss
 * @param wanted what was asked for when it was opened
 */
public record ResumeTicket(long shipmentId, Token token, Duration window, OpenRequest wanted) {}
