package io.drayage.study.hazelcast.published.persons;

import com.hazelcast.nio.serialization.IdentifiedDataSerializable;

/** Writes itself, behind a number. */
public final class PersonIdentified extends PersonDataSerializable
    implements IdentifiedDataSerializable {
  @Override
  public int getFactoryId() {
    return 1;
  }

  @Override
  public int getClassId() {
    return 1;
  }
}
