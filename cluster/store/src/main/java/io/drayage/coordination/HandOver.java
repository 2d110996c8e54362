package io.drayage.coordination;

/**
 * A request that a primary make way for another node.
 *
 * @param change the number of the request; a later one has a higher number
 * @param epoch of the primary; no other is concerned. 0 once the primary has withdrawn the request
 * @param to the name of the node that is to be primary next
 * @param reason why the primary has withdrawn the request; empty before
 */
public record HandOver(long change, long epoch, String to, String reason) {
  /** A request that stands. */
  public HandOver(long change, long epoch, String to) {
    this(change, epoch, to, "");
  }

  /** Whether the primary does not make way, and waits no longer until it can. */
  public boolean isWithdrawn() {
    return epoch == 0;
  }

  /** The same, withdrawn by the primary. */
  public HandOver withdrawn(String why) {
    return new HandOver(change + 1, 0, to, why);
  }
}
