package io.drayage.coordination;

/**
 * A request that the primary hands over to another node.
 *
 * @param change the number of the request; a later one has a higher number
 * @param epoch of the primary; no other one is concerned. 0 once the request is withdrawn
 * @param to the name of the node that is to be primary next
 * @param reason why the primary has withdrawn the request; empty before
 */
public record HandOver(long change, long epoch, String to, String reason) {
  /** A request that is not withdrawn. */
  public HandOver(long change, long epoch, String to) {
    this(change, epoch, to, "");
  }

  /** Whether the primary has withdrawn the request: it does not hand over, and waits no longer. */
  public boolean isWithdrawn() {
    return epoch == 0;
  }

  /** Returns the request as withdrawn by the primary. */
  public HandOver withdrawn(String why) {
    return new HandOver(change + 1, 0, to, why);
  }
}
