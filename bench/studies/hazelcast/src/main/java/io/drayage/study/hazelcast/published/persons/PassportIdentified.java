package io.drayage.study.hazelcast.published.persons;

import com.hazelcast.nio.serialization.IdentifiedDataSerializable;

/** A passport that writes itself, after a number. */
public final class PassportIdentified extends PassportDataSerializable
    implements IdentifiedDataSerializable {
  @Override
  public int getFactoryId() {
    return 1;
  }

  @Override
  public int getClassId() {
    return 2;
  }
}
