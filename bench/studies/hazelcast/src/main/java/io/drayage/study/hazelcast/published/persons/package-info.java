/**
 * The persons of each option. The name of the package has as many characters as the study's, since
 * some options write it into every object.
 */
@NullMarked
package io.drayage.study.hazelcast.published.persons;

import org.jspecify.annotations.NullMarked;
