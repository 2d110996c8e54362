package io.drayage.study.hazelcast.published.persons;

import com.hazelcast.nio.serialization.VersionedPortable;

/** A passport that writes its fields with their names, and a version. */
@SuppressWarnings("removal") // The study compares Portable, which is to be removed.
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
