package io.drayage.study.hazelcast.published.persons;

import com.hazelcast.nio.serialization.IdentifiedDataSerializable;

/** A person that writes itself, after a number. */
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
