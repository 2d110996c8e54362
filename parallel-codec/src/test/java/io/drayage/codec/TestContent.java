package io.drayage.codec;

import io.drayage.cargo.ChangeCargo;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A cargo that every codec must carry.
 *
 * @param name the special property of the cargo, and its seed
 */
record TestContent(String name, ChangeCargo cargo) {
  /** A cargo of one table. */
  static TestContent ofTable(String name, Consumer<ChangeCargo.TableChangesBuilder> table) {
    return new TestContent(
        name, ChangeCargo.builder(new UUID(1, 2), 3).table("table", table).build());
  }

  @Override
  public String toString() {
    return name;
  }
}
