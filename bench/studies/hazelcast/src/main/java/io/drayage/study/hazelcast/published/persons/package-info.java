/**
 * The persons of each option. The name of this package is as long as the study's, since some
 * options write it into every object.
 */
@NullMarked
package io.drayage.study.hazelcast.published.persons;

import org.jspecify.annotations.NullMarked;
