package io.drayage.study.hazelcast.published.persons;

import com.hazelcast.nio.serialization.VersionedPortable;

/** Writes its fields with their names, and a version. */
@SuppressWarnings("removal") // The study compares it; there is no other way to.
public final class PassportVersionedPortable extends PassportPortable implements VersionedPortable {
  @Override
  public int getFactoryId() {
    return 3;
  }

  @Override
  public int getClassVersion() {
    return 1;
  }
}
